/** Injection token of the Delivery object. */
export const DELIVERY = Symbol('DELIVERY');
