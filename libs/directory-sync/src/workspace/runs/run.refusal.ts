/** A run cannot be carried out, and would fail again as it is. `message` is for an administrator. */
export class RunRefusal extends Error {
  override readonly name = 'RunRefusal';
}
