// Until plotly.js has loaded, and where there is none, the alt text stands in the figure's place.
(() => {
  const place = document.getElementById("PLACE"), figure = FIGURE;
  const draw = () => {
    if (!window.Plotly) return;
    place.textContent = "";
    Plotly.newPlot(place, figure.data, figure.layout, {responsive: true, displaylogo: false});
  };
  document.readyState === "complete" ? draw() : window.addEventListener("load", draw);
})();
