// Bars as an SVG that can be read on light and on dark ground: a page shows it as a picture, so it brings its own colours for both.

/** @typedef {{ label: string, value: number, kind: string, text?: string }} Segment */
/** @typedef {{ label: string, segments: readonly Segment[], note?: string }} Bar */
/** @typedef {{ title: string, bars: readonly Bar[] }} Group */
/** @typedef {{ name: string, light: string, dark: string }} Kind */
/** @typedef {{ title: string, kinds: { readonly [kind: string]: Kind }, groups: readonly Group[], scale: "linear" | "log", ticks: readonly { value: number, text: string }[] }} Plot */

const WIDTH = 760;
const LABELS = 190;
const NOTES = 110;
const ROW = 22;
const BAR = 14;

/** @param {string} text */
const escapeText = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** @param {number} value */
const round = (value) => String(Math.round(value * 10) / 10);

/** Writes a plot. @param {Plot} plot */
export function writePlot({ title, kinds, groups, scale, ticks }) {
  const room = WIDTH - LABELS - NOTES;
  const values = ticks.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const share = (/** @type {number} */ value) => {
    const at = scale === "log" ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least);
    return Math.min(1, Math.max(0, at)) * room;
  };
  /** @type {string[]} */
  const parts = [];
  let y = 52;
  const legend = Object.entries(kinds);
  let x = LABELS;
  for (const [kind, { name }] of legend) {
    parts.push(`<rect class="${kind}" x="${x}" y="30" width="10" height="10" rx="2"/>`);
    parts.push(`<text x="${x + 15}" y="39">${escapeText(name)}</text>`);
    x += 30 + name.length * 6.4;
  }
  const top = y;
  for (const group of groups) {
    if (group.title !== "") {
      parts.push(`<text class="head" x="0" y="${y + 15}">${escapeText(group.title)}</text>`);
      y += ROW;
    }
    for (const { label, segments, note } of group.bars) {
      parts.push(`<text class="label" x="${LABELS - 8}" y="${y + 12}">${escapeText(label)}</text>`);
      let from = scale === "log" ? least : 0;
      let sum = 0;
      for (const { kind, value, label: name, text } of segments) {
        const start = LABELS + (scale === "log" ? 0 : share(sum));
        const end = LABELS + (scale === "log" ? share(value) : share(sum + value));
        sum += value;
        from = value;
        const said = text ?? round(value);
        parts.push(
          `<rect class="${kind}" x="${round(start)}" y="${y + 2}" width="${round(Math.max(0, end - start))}" height="${BAR}"><title>${escapeText(`${label}, ${name}: ${said}`)}</title></rect>`,
        );
      }
      if (note !== undefined) {
        const at = scale === "log" ? LABELS + share(from) + 6 : LABELS + room + 8;
        parts.push(`<text x="${round(at)}" y="${y + 13}">${escapeText(note)}</text>`);
      }
      y += ROW;
    }
    y += 6;
  }
  const lines = ticks.map(({ value, text }) => {
    const at = round(LABELS + share(value));
    return `<line x1="${at}" x2="${at}" y1="${top}" y2="${y - 4}"/><text class="tick" x="${at}" y="${y + 10}">${escapeText(text)}</text>`;
  });
  const colours = (/** @type {"light" | "dark"} */ mode) =>
    legend.map(([kind, colour]) => `.${kind}{fill:${colour[mode]}}`).join("");
  const style = [
    "text{font:12px system-ui,sans-serif;fill:#1f2328}.label{text-anchor:end}.tick{text-anchor:middle;font-size:11px;fill:#59636e}",
    ".head,.title{font-weight:600}.title{font-size:14px}line{stroke:#d1d9e0}",
    colours("light"),
    `@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.tick{fill:#9198a1}line{stroke:#3d444d}${colours("dark")}}`,
  ].join("");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 18}" width="${WIDTH}" height="${y + 18}" role="img" aria-label="${escapeText(title)}">`,
    `<style>${style}</style>`,
    `<text class="title" x="0" y="16">${escapeText(title)}</text>`,
    ...lines,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}
