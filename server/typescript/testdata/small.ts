// The types of the API, written by package server/typescript from its OpenAPI
// document. Not for editing: change the API, then have its tests write this anew.

export type Both = File & (Record | string);

export type Empty = { [name: string]: unknown };

export interface File {
  kind?: 'file';
  line?: number | string;
}

/** How strong. */
export type Level = 1 | 2.5 | -3 | null;

export type Map = { [name: string]: (Record[] | null)[] };

/**
 * One recorded game, with everything that the source tells of it and of the people who played it, whoever
 * they may have been.
 */
export interface Record {
  any?: unknown;
  box?: [number, number | null];
  date?: string | null;
  facts?: { [name: string]: string };
  /** Its number in the library. */
  id: number;
  'it\'s-odd'?: boolean;
  /**
   * Use facts.
   *
   * @deprecated
   */
  komi?: number;
  more?: {
    a?: number;
    [name: string]: unknown;
  };
  moves: string[];
  nothing?: never;
  open?: { [name: string]: unknown };
  other?: unknown;
  players?: ({
    name: string;
    /** In kyu below, in dan above 0. *​/ alert(1) */
    rank?: number | null;
  })[];
  result: 'first' | 'second' | 'draw';
  sides?: ('black' | 'white')[];
  source?: Source;
}

export type Source = File | null;

/** Every operation of the API: what it takes and what it answers. */
export interface Operations {
  'POST /import': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: Blob | FormData | undefined;
    reply: undefined;
  };
  'GET /find': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: never;
    events: {
      done: {
        took?: number;
      };
      hit: Record;
    };
  };
  'GET /picture': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: Blob | string;
  };
  'POST /records': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: {
      depth?: {
        n?: number;
      };
      text: string;
    };
    reply: Record | string;
  };
  /**
   * One record
   *
   * As it was imported.
   * With its faults.
   */
  'GET /records/{id}': {
    path: {
      id: number;
    };
    query: {
      /** Where to stop. */
      ply?: number | undefined;
      with: ('moves' | 'faults')[];
    };
    body: undefined;
    reply: Record;
  };
  /** @deprecated */
  'DELETE /records/{id}': {
    path: {
      id: number;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: undefined;
  };
}
