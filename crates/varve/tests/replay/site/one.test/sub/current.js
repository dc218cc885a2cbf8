const currentSrc = document.currentScript.src;
behaviour("document.currentScript.src", () => currentSrc);
