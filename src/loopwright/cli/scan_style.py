"""How the page of a report looks: light, dark, on paper and on a telephone."""

from __future__ import annotations

STYLE = """
:root {
  --ground: #fcfcfb; --card: #ffffff; --ink: #1c1b1a; --soft: #6b6864; --line: #e5e3df;
  --first: #2a6fbb; --second: #7fb0e0; --third: #c9a227; --fourth: #1f9e89; --bad: #c0392b; --track: #eef1f5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #171614; --card: #1f1e1c; --ink: #eceae6; --soft: #a19d96; --line: #35332f;
    --first: #5b9fe3; --second: #2f5f91; --third: #d9b44a; --fourth: #3cbfa6; --bad: #ef7b6c; --track: #2a2926;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 60rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
h1 { margin: 0; font-size: 1.7rem; letter-spacing: -0.02em; text-wrap: balance; }
h2 { margin: 0 0 0.75rem; font-size: 1.05rem; }
h2 small { color: var(--soft); font-weight: 400; font-size: 0.85rem; margin-left: 0.4rem; }
p { margin: 0.25rem 0 0; }
.soft { color: var(--soft); }
section {
  margin-top: 1.25rem; padding: 1.1rem 1.25rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 0.7rem;
}
.tiles {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0.75rem; margin-top: 1.5rem;
}
.tile { padding: 0.8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.7rem; }
.tile b { display: block; font-size: 1.45rem; line-height: 1.3; letter-spacing: -0.02em; }
.tile span { color: var(--soft); font-size: 0.85rem; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th { color: var(--soft); font-weight: 400; text-align: left; white-space: nowrap; }
th, td { padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: middle; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
tr:last-child td { border-bottom: 0; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.path { overflow-wrap: anywhere; min-width: 9rem; width: 45%; }
.words { overflow-wrap: anywhere; min-width: 14rem; width: 60%; }
.words div {
  display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; line-clamp: 2; overflow: hidden;
}
.fixed { white-space: nowrap; }
.bad { color: var(--bad); }
code { font: 0.85em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
td.bar { width: 22%; min-width: 5rem; }
svg { display: block; width: 100%; }
svg.bar { height: 0.6rem; border-radius: 0.2rem; background: var(--track); }
svg.stack { height: 1.1rem; border-radius: 0.3rem; }
svg text { fill: var(--soft); font-size: 11px; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .mark { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 3 3; }
.one { fill: var(--first); } .two { fill: var(--second); } .three { fill: var(--third); } .four { fill: var(--fourth); }
.dot { fill: var(--first); fill-opacity: 0.45; } .far { fill: var(--bad); fill-opacity: 0.9; }
.column:hover, .dot:hover { fill: var(--third); fill-opacity: 1; }
.narrow-chart { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; margin-top: 0.6rem; font-size: 0.88rem; }
.legend svg { display: inline-block; width: 0.7rem; height: 0.7rem; margin-right: 0.35rem; }
summary { cursor: pointer; font-weight: 600; font-size: 1.05rem; }
details[open] summary { margin-bottom: 0.75rem; }
ul { margin: 0; padding-left: 1.1rem; }
footer { margin-top: 1.5rem; color: var(--soft); font-size: 0.85rem; }
@media (max-width: 640px) {
  body { padding: 1.5rem 0.8rem 3rem; }
  section { padding: 0.9rem; }
  .tiles { grid-template-columns: 1fr 1fr; gap: 0.6rem; }
  .wide-chart { display: none; } .narrow-chart { display: block; }
  td.bar, th.bar, .spare, .sessions th { display: none; }
  th, td { padding: 0.3rem 0.4rem; }
  .sessions tr {
    display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; padding: 0.5rem 0;
    border-bottom: 1px solid var(--line);
  }
  .sessions tr:first-child:has(th) { display: none; }
  .sessions td { padding: 0; border: 0; }
  .sessions .words { flex-basis: 100%; }
}
@media print {
  :root {
    --ground: #fff; --card: #fff; --ink: #000; --soft: #555; --line: #ccc; --track: #eee;
    --first: #2a6fbb; --second: #7fb0e0; --third: #c9a227; --fourth: #1f9e89; --bad: #c0392b;
  }
  html { font-size: 12px; }
  body { max-width: none; padding: 0; font-size: 11px; }
  .tiles { grid-template-columns: repeat(6, 1fr); }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  section { padding: 0.6rem 0; border: 0; border-top: 1px solid var(--line); border-radius: 0; }
  tr, .tile, svg { break-inside: avoid; }
  h2 { break-after: avoid; }
}
"""
