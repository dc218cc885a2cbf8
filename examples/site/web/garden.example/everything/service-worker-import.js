const cacheName = "everything-1";
