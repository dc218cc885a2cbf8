window.loadedFrom = [document.currentScript.src, location.host];
