(self.scripts = self.scripts || []).push(location.host);
