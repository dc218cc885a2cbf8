export const dynamic = true;
