// The types of the API, written by package server/typescript from its OpenAPI
// document. Not for editing: change the API, then have its tests write this anew.

export interface ErrorDetail {
  /** Where the error occurred, e.g. 'body.items[3].tags' or 'path.thing-id' */
  location?: string;
  /** Error message text */
  message?: string;
  /** The value at the given location */
  value?: unknown;
}

export interface ErrorModel {
  /** A human-readable explanation specific to this occurrence of the problem. */
  detail?: string;
  /** Optional list of individual error details */
  errors?: ErrorDetail[] | null;
  /** A URI reference that identifies the specific occurrence of the problem. */
  instance?: string;
  /** HTTP status code */
  status?: number;
  /**
   * A short, human-readable summary of the problem type. This value should not change between occurrences of
   * the error.
   */
  title?: string;
  /** A URI reference to human-readable documentation for the error. */
  type?: string;
}

export interface Finished {
  games: number;
}

export interface Position {
  names: { [name: string]: string };
  next?: Stone;
  stones: Stone[];
}

export interface Progress {
  done: number;
}

export interface Stone {
  age?: number;
  /** The point, row by row. */
  at: number;
  near: number[];
  side: 'black' | 'white';
}

/** Every operation of the API: what it takes and what it answers. */
export interface Operations {
  /** Post imports */
  'POST /imports': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: Blob;
    reply: undefined;
  };
  'GET /imports/events': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: never;
    events: {
      finished: Finished;
      progress: Progress;
    };
  };
  /** Get positions by ID */
  'GET /positions/{id}': {
    path: {
      id: string;
    };
    query: {
      /** Where to stop. */
      ply?: number | undefined;
      with?: ('names' | 'next')[] | undefined;
    };
    body: undefined;
    reply: Position;
  };
  /** Post positions by ID stones */
  'POST /positions/{id}/stones': {
    path: {
      id: string;
    };
    query: { [name: string]: never };
    body: Stone;
    reply: Position;
  };
}
