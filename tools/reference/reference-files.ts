/** The files of the reference, which the key service serves below `/docs`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { icon, stylesheet } from '@gatehouse/pages/layout';
import { buildSync } from 'esbuild';
import { docsPages, llmsText } from './docs.js';
import { referencePage } from './page.js';
import { referenceDocument } from './reference-document.js';
import { sectionsOf, sectionText } from './sections.js';

/** @returns contents by file name */
export function referenceFiles(): Map<string, string | Uint8Array> {
  const document = referenceDocument();
  const sections = sectionsOf(document);
  const pages = docsPages();
  return new Map<string, string | Uint8Array>([
    ['index.html', referencePage(document)],
    ['pages.css', stylesheet.body],
    ['reference.css', readFileSync(join(import.meta.dirname, 'reference.css'))],
    ['reference.js', script()],
    ['icon.svg', icon.body],
    ['openapi.json', JSON.stringify(document)],
    ['llms.txt', llmsText(pages, sections)],
    ...pages,
    ...sections.map((section) => [section.file, sectionText(section, document)] as const),
  ]);
}

function script(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, 'browser', 'main.ts')],
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
