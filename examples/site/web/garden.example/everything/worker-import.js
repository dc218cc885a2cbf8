const word = "imported";
