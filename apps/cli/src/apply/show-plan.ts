import { type Paint } from '../output/color.js';
import { counted, printable } from '../output/text.js';
import { type Difference, type Plan, type Step } from './plan.js';

const SIGNS = { create: '+', change: '~', delete: '-' } as const;
const TONES = { create: 'good', change: 'warn', delete: 'bad' } as const;

/** The steps with what each adds (+) and takes away (-). */
export function planLines({ steps, deletions }: Plan, paint: Paint): string[] {
  return [...steps, ...deletions].flatMap(({ action, object, differences }) => [
    paint(TONES[action], printable(`${SIGNS[action]} ${action} ${object}`)),
    ...differences.flatMap((difference) => differenceLines(difference, paint)),
  ]);
}

/** `2 to create, 1 to change, 0 to delete, 5 unchanged` */
export function planSummary({ steps, deletions, unchanged }: Plan): string {
  const count = (action: Step['action']) => steps.filter((step) => step.action === action).length;
  const isSame = steps.length + deletions.length === 0;
  return isSame
    ? `No changes in ${counted(unchanged, 'object')}.`
    : `${count('create')} to create, ${count('change')} to change, ${deletions.length} to delete, ${unchanged} unchanged`;
}

function differenceLines({ path, before, after }: Difference, paint: Paint): string[] {
  const line = (sign: string, value: unknown) =>
    printable(`    ${sign} ${path}: ${JSON.stringify(value)}`);
  return [
    ...(before === undefined ? [] : [paint('bad', line('-', before))]),
    ...(after === undefined ? [] : [paint('good', line('+', after))]),
  ];
}
