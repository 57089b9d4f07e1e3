/** Values by name. Beyond a number of them, those that were not read or set for longest are forgotten. */
export class Recent<Value> {
  private readonly values = new Map<string, Value>();

  constructor(private readonly max: number) {}

  get(name: string): Value | undefined {
    const value = this.values.get(name);
    if (value !== undefined) this.set(name, value);
    return value;
  }

  set(name: string, value: Value): void {
    this.values.delete(name);
    this.values.set(name, value);
    if (this.values.size <= this.max) return;
    const [oldest] = this.values.keys();
    if (oldest !== undefined) this.values.delete(oldest);
  }
}
