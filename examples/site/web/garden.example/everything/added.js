window.added = "added";
