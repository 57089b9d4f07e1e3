/** The document of the reference: that of all services, with code samples. */
import { mergedDocument } from '../api/merged-document.mjs';
import { type ApiDocument, type Operation } from './document.js';
import { endpointsOf } from './operations.js';
import { clientSample, curlSample } from './samples.js';

/** OpenAPI 3.1, with the samples where viewers look for them. */
export function referenceDocument(): ApiDocument {
  const document = mergedDocument() as unknown as ApiDocument;
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpointsOf(document)) {
    const { method, path, operation } = endpoint;
    const samples = [curlSample(endpoint), clientSample(endpoint)].filter(
      (sample) => sample !== undefined,
    );
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: { ...operation, 'x-codeSamples': samples },
    };
  }
  return { ...document, paths };
}
