import { type FieldError } from '../model/form-decoder.types.js';

/**
 * The errors of a form that no node shows yet, indexed by place because there may be as many errors
 * as nodes.
 */
export class OpenErrors {
  private readonly open: Set<FieldError>;
  private readonly at = new Map<string, FieldError[]>();
  private below: Map<string, FieldError[]> | null = null;

  constructor(errors: readonly FieldError[]) {
    this.open = new Set(errors);
    for (const error of this.open) put(this.at, error.pointer, error);
  }

  /** The errors of a place, with `below` also of places within it. Each is returned once. */
  claim(pointer: string, below: boolean): FieldError[] {
    if (this.open.size === 0) return [];
    const found = (below ? this.byAncestor() : this.at).get(pointer) ?? [];
    const claimed = found.filter((error) => this.open.has(error));
    for (const error of claimed) this.open.delete(error);
    return claimed;
  }

  rest(): FieldError[] {
    return [...this.open];
  }

  private byAncestor(): Map<string, FieldError[]> {
    if (this.below !== null) return this.below;
    this.below = new Map();
    for (const error of this.open) {
      let { pointer } = error;
      while (pointer !== '') {
        put(this.below, pointer, error);
        pointer = pointer.slice(0, pointer.lastIndexOf('/'));
      }
    }
    return this.below;
  }
}

function put(map: Map<string, FieldError[]>, pointer: string, error: FieldError): void {
  const known = map.get(pointer);
  if (known === undefined) map.set(pointer, [error]);
  else known.push(error);
}
