import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface AxeFinding {
  id: string;
  impact: string;
  targets: string[];
}

/** The accessibility faults that axe-core finds on a page, of moderate impact and above. */
export async function axe(page: Page): Promise<AxeFinding[]> {
  // The page's policy allows no scripts, but the debugger protocol bypasses it.
  await page.evaluate(AXE);
  const findings = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; impact: string; nodes: { target: string[] }[] }[];
        }>;
      };
    };
    return (await axe.run()).violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      targets: nodes.flatMap(({ target }) => target),
    }));
  });
  return findings.filter(({ impact }) => impact !== 'minor');
}
