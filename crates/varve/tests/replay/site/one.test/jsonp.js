/**/calledBack({"called": "back"});
