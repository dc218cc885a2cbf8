onconnect = (event) => event.ports[0].postMessage([location.href, self.origin]);
