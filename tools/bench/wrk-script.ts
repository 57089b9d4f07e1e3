import { type LoadRequest } from './types.js';

/** Placeholder in a path or a body for a number that is never used twice. */
export const PLACEHOLDER = '{{n}}';
/** As long as the numbers that replace it, so that Content-Length is right. */
const STAND_IN = '@@@@@@@@@@@@';

/**
 * The Lua script that makes wrk send `requests` in turn and print its result as one line of JSON.
 * Requests are rendered once; only those that contain `{{n}}` are assembled for each request.
 */
export function wrkScript(requests: readonly LoadRequest[], startNumber: number): string {
  const entries = requests.map(({ method, path, headers = {}, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${lua(name)}]=${lua(value)}`);
    const bodyText = body === undefined ? 'nil' : lua(body.replaceAll(PLACEHOLDER, STAND_IN));
    const pathText = lua(path.replaceAll(PLACEHOLDER, STAND_IN));
    return `  {${lua(method)}, ${pathText}, {${fields.join(', ')}}, ${bodyText}},`;
  });
  return `local entries = {
${entries.join('\n')}
}
local standIn = ${lua(STAND_IN)}
local number = ${startNumber}
local rendered = {}
local position = 0

function init(args)
  for index, entry in ipairs(entries) do
    local text = wrk.format(entry[1], entry[2], entry[3], entry[4])
    local parts = {}
    local from = 1
    while true do
      local first, last = string.find(text, standIn, from, true)
      if first == nil then break end
      parts[#parts + 1] = string.sub(text, from, first - 1)
      from = last + 1
    end
    parts[#parts + 1] = string.sub(text, from)
    rendered[index] = parts
  end
end

function request()
  position = position % #rendered + 1
  local parts = rendered[position]
  if #parts == 1 then return parts[1] end
  number = number + 1
  return table.concat(parts, string.format("%012.0f", number))
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"durationMs":%.3f,"p50Ms":%.4f,"p99Ms":%.4f,"errors":%d,"badStatuses":%d}\\n',
    summary.requests, summary.duration / 1000, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
`;
}

/** A Lua string literal of the text's UTF-8 bytes, with decimal escapes for all but plain ASCII. */
function lua(text: string): string {
  let literal = '"';
  for (const byte of Buffer.from(text, 'utf8')) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    literal += isPlain ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
  }
  return `${literal}"`;
}
