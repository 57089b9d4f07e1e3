/** Injection token of the Exchange of the service. */
export const EXCHANGE = Symbol('EXCHANGE');
