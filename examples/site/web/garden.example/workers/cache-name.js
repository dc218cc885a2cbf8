const cacheName = "shed-1";
