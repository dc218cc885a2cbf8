(self.scripts = self.scripts || []).push("second");
