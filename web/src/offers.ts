// Shapes and questions to begin with. They are a file of their own, since few pages want them.
import address from './offers.data';

// By family and name: shapes are stones (a letter and a point) or the rows of a position, examples are queries. Those
// of the help are name, family and query; each asks for something else that the language can do.
export interface Offers {
  shapes: Partial<Record<string, Record<string, string>>>;
  examples: Offers['shapes'];
  help: [string, string, string][];
}

export const offers = async (signal: AbortSignal): Promise<Offers> =>
  (await fetch(address, {signal})).json() as Promise<Offers>;
