/** JSON whose shape the test knows. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body when it is JSON, the text otherwise; undefined without a body. */
  body: Json;
  text: string;
}
