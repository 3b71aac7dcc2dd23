// What a browser remembers for its reader: choices and progress, never the state of a page, which is its URL. Private
// windows may refuse to keep anything; then it lasts as long as the page.

// recall returns what was kept under a name, over the defaults; anything that cannot be read is as if it were not
// there.
export function recall<T extends object>(name: string, defaults: T): T {
  try {
    return {...defaults, ...(JSON.parse(localStorage.getItem('qipu.' + name) ?? '{}') as Partial<T>)};
  } catch {
    return {...defaults};
  }
}

export function remember(name: string, value: object): void {
  try {
    localStorage.setItem('qipu.' + name, JSON.stringify(value));
  } catch {
    /* as above */
  }
}
