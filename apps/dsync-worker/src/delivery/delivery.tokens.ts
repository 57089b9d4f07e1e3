/** Injection token of the sending side of directory sync. */
export const DELIVERY = Symbol('DELIVERY');

/** Injection token of the worker's settings. */
export const CONFIG = Symbol('CONFIG');
