/**
 * A picture of a step: the part of the provider's administration that it is about, with its fields,
 * switches and buttons. Drawn from the instructions, so that it shows what they say. Everything in it is
 * in the sentences too.
 */
import { type FieldValue, type GuideStep, type Instruction } from './guide.types.js';

const WIDTH = 560;
const PADDING = 24;
const ROW = 58;
const SWITCH_ROW = 34;
const BUTTON_ROW = 52;
const BAR = 44;
const CHARACTERS_MAX = 58;

interface Row {
  height: number;
  svg: (y: number) => string;
}

/** The colors of a picture that stands alone; within a page, its stylesheet has them. */
const STYLE = `<style>
.window{fill:#fff;stroke:#c9c4ba}.bar{fill:#f1eee8}.label{font:600 13px sans-serif;fill:#17211f}
.field{fill:#fff;stroke:#75807c}.value{font:13px monospace;fill:#17211f}.path{font:13px sans-serif;fill:#52605c}
.ours{fill:#e4f0ec;stroke:#0b5d4e}.on{fill:#0b5d4e}.knob{fill:#fff}.button{fill:#0b5d4e}.press{font:600 13px sans-serif;fill:#fff}
</style>`;

/** @returns undefined for a step without anything to draw */
export function pictureOf(
  step: GuideStep,
  words: { address: string; token: string },
  options: { standalone?: boolean } = {},
): string | undefined {
  const rows = step.instructions.flatMap((each) => rowOf(each, words));
  const path = step.instructions.find((each) => each.do === 'open')?.path ?? [];
  if (rows.length === 0) return undefined;
  const height = BAR + PADDING + rows.reduce((sum, row) => sum + row.height, 0) + PADDING / 2;
  let y = BAR + PADDING;
  const drawn = rows.map((row) => {
    const svg = row.svg(y);
    y += row.height;
    return svg;
  });
  const about = options.standalone
    ? ' xmlns="http://www.w3.org/2000/svg"'
    : ' class="picture" aria-hidden="true"';
  return `<svg${about} viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">${
    options.standalone ? STYLE : ''
  }<rect class="window" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/><path class="bar" d="M1 ${BAR}V9a8 8 0 0 1 8-8h${WIDTH - 18}a8 8 0 0 1 8 8v${BAR - 9}z"/>${text('path', PADDING, 27, path.join(' › '))}${drawn.join('')}</svg>`;
}

function rowOf(instruction: Instruction, words: { address: string; token: string }): Row[] {
  switch (instruction.do) {
    case 'enter':
      return [
        field(instruction.field, valueOf(instruction.value, words), isOurs(instruction.value)),
      ];
    case 'choose':
      return [field(instruction.field, `${instruction.option} ▾`, false)];
    case 'turnOn':
      return instruction.names.map(toggle);
    case 'grant': {
      const { permissions, button: name } = instruction;
      return [...permissions.map(({ name }) => permission(name)), button(name)];
    }
    case 'press':
      return [button(instruction.button)];
    default:
      return [];
  }
}

const isOurs = (value: FieldValue): boolean => 'is' in value;

function valueOf(value: FieldValue, words: { address: string; token: string }): string {
  if ('text' in value) return value.text;
  return value.is === 'token' ? `‹ ${words.token} ›` : `‹ ${words.address} ›${value.suffix ?? ''}`;
}

function field(label: string, value: string, ours: boolean): Row {
  return {
    height: ROW,
    svg: (y) =>
      `${text('label', PADDING, y, label)}<rect class="field${ours ? ' ours' : ''}" x="${PADDING}" y="${y + 8}" width="${WIDTH - 2 * PADDING}" height="30" rx="4"/>${text('value', PADDING + 10, y + 28, value)}`,
  };
}

function toggle(name: string): Row {
  return {
    height: SWITCH_ROW,
    svg: (y) =>
      `<rect class="on" x="${PADDING}" y="${y - 12}" width="34" height="18" rx="9"/><circle class="knob" cx="${PADDING + 25}" cy="${y - 3}" r="6.5"/>${text('label', PADDING + 46, y + 2, name)}`,
  };
}

function permission(name: string): Row {
  return {
    height: SWITCH_ROW,
    svg: (y) =>
      `<rect class="on" x="${PADDING}" y="${y - 12}" width="18" height="18" rx="4"/>${text('press', PADDING + 4, y + 2, '✓')}${text('label', PADDING + 30, y + 2, name)}`,
  };
}

function button(name: string): Row {
  const width = Math.min(WIDTH - 2 * PADDING, 28 + Math.ceil(name.length * 8.2));
  return {
    height: BUTTON_ROW,
    svg: (y) =>
      `<rect class="button" x="${PADDING}" y="${y - 8}" width="${width}" height="34" rx="4"/>${text('press', PADDING + 14, y + 14, name)}`,
  };
}

function text(style: string, x: number, y: number, content: string): string {
  const shown =
    content.length > CHARACTERS_MAX ? `${content.slice(0, CHARACTERS_MAX - 1)}…` : content;
  return `<text class="${style}" x="${x}" y="${y}">${escaped(shown)}</text>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(content: string): string {
  return content.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '');
}
