"""How an exported page looks, in light and in dark."""

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1b1f24; --dim: #667080; --line: #d8dee6; --panel: #f5f7f9;
  --good: #1a7f37; --bad: #c62828; --warn: #9a6700; --link: #0b5cad; --people: #8250df; --words: #0b7285;
  --reads: #2f7dd1; --edits: #1a7f37; --commands: #9a6700; --other: #6e7781; }
@media (prefers-color-scheme: dark) { :root { --ground: #14181d; --ink: #dde3ea; --dim: #8b96a5; --line: #2c343e;
  --panel: #1b2128; --good: #4cc26a; --bad: #ff7b72; --warn: #e0b341; --link: #6cb6ff; --people: #c297ff;
  --words: #56c7d6; --reads: #6cb6ff; --edits: #4cc26a; --commands: #e0b341; --other: #98a3b0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1080px; padding: 24px 20px 60px; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 32px 0 8px; padding-bottom: 4px; border-bottom: 1px solid var(--line); }
h3 { font-size: 14px; margin: 18px 0 6px; }
p { margin: 4px 0; overflow-wrap: anywhere; } a { color: var(--link); }
.dim { color: var(--dim); opacity: 1; } .good { color: var(--good); } .bad { color: var(--bad); }
.warn { color: var(--warn); }
.badge { display: inline-block; padding: 1px 9px; border: 1px solid currentColor; border-radius: 10px;
  font-size: 13px; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(118px, 1fr)); gap: 8px; margin: 16px 0; }
.figures div { background: var(--panel); border-radius: 6px; padding: 6px 10px; min-width: 0; }
.figures b { display: block; font-size: 14px; line-height: 1.35; font-weight: 600; overflow-wrap: anywhere;
  max-height: 4.2em; overflow: hidden; }
.figures div > span { color: var(--dim); font-size: 12px; line-height: 1.3; display: block; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
th { text-align: left; color: var(--dim); font-weight: 500; } td, th { padding: 4px 28px 4px 0; vertical-align: top; }
tr + tr td { border-top: 1px solid var(--line); } .number { text-align: right; white-space: nowrap; }
td { overflow-wrap: anywhere; } code, pre, .mono { font: 12.5px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { margin: 6px 0; padding: 10px 12px; background: var(--panel); border-radius: 6px; overflow: auto;
  max-height: 480px; white-space: pre-wrap; overflow-wrap: anywhere; }
td pre { margin: 0; max-height: 160px; min-width: 320px; }
.goal { white-space: pre-wrap; max-height: 240px; overflow: auto; }
svg.timeline { width: 100%; min-width: 640px; height: auto; font: 11px system-ui, "DejaVu Sans", sans-serif; }
svg text { fill: var(--dim); } svg .tick { stroke: var(--line); } svg .pause { stroke: var(--dim);
  stroke-dasharray: 2 3; } svg a:hover rect { stroke: var(--ink); }
.row-people { fill: var(--people); } .row-words { fill: var(--words); } .row-reads { fill: var(--reads); }
.row-edits { fill: var(--edits); } .row-commands { fill: var(--commands); } .row-other-tools { fill: var(--other); }
.row-verdicts { fill: var(--ink); } .row-errors { fill: var(--bad); }
.part { content-visibility: auto; contain-intrinsic-size: auto 2800px; }
details.event { border-top: 1px solid var(--line); } details.event[open] { padding-bottom: 8px; }
details.event > summary { display: grid; grid-template-columns: 72px 92px 110px minmax(0, 1fr) auto; gap: 10px;
  padding: 3px 4px; cursor: pointer; list-style: none; font-size: 13px; align-items: baseline; }
details.event > summary::-webkit-details-marker { display: none; }
details.event > summary:hover, details.event:target > summary { background: var(--panel); }
details.event:target { outline: 2px solid var(--link); outline-offset: 1px; }
summary .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
summary .when, summary .took { color: var(--dim); font-variant-numeric: tabular-nums; font-size: 12px; }
summary .tool { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.kind-prompt .kind, .kind-interrupt .kind, .kind-rejection .kind { color: var(--people); }
.kind-message .kind, .kind-thinking .kind, .kind-result .kind { color: var(--words); }
.kind-tool_call .kind { color: var(--reads); } .kind-tool_result .kind { color: var(--dim); }
.kind-verdict .kind { font-weight: 600; } .failed .kind, .failed .what { color: var(--bad); }
.inner { margin-left: 18px; border-left: 2px solid var(--line); padding-left: 6px; }
.body { padding: 0 4px 0 82px; } .body p { font-size: 12px; } td a.mono { white-space: nowrap; }
details.box > summary { cursor: pointer; padding: 4px 0; font-size: 13px; }
.diff .added { color: var(--good); } .diff .removed { color: var(--bad); } .diff .place { color: var(--people); }
.hidden-sign { border: 1px solid var(--warn); color: var(--warn); border-radius: 3px; padding: 0 2px; font-size: 10px; }
.bold { font-weight: 700; } .italic { font-style: italic; } .underline { text-decoration: underline; }
.ink-red { color: var(--bad); } .ink-green { color: var(--good); } .ink-yellow { color: var(--warn); }
.ink-blue { color: var(--reads); } .ink-magenta { color: var(--people); } .ink-cyan { color: var(--words); }
.ink-black, .ink-white { color: var(--dim); } .on-red { background: #c6282833; } .on-green { background: #1a7f3733; }
.on-yellow { background: #e0b34133; } .on-blue { background: #2f7dd133; } .on-magenta { background: #8250df33; }
.on-cyan { background: #0b728533; } .on-black, .on-white { background: #80808033; }
@media (max-width: 640px) { details.event > summary { grid-template-columns: 64px 76px minmax(0, 1fr); }
  summary .tool, summary .took { display: none; } .body { padding-left: 4px; } }
@media print { pre { max-height: none; } .part { content-visibility: visible; } }
"""
