/* Puts an advertisement where a page has room. A made-up advertiser of the example web. */
(function () {
  var me = document.currentScript;
  var frame = document.createElement("iframe");
  frame.src = "//ads.example/slot?slot=" + me.dataset.slot + "&w=" + innerWidth + "&cb=" + Math.random().toString().slice(2);
  frame.width = "100%";
  frame.height = 132;
  frame.title = "Advertisement";
  frame.style.border = 0;
  document.getElementById(me.dataset.target).appendChild(frame);
})();
