// What the tests use of Node, which needs no package for it.
declare module 'node:test' {
  export default function test(name: string, run: () => void | Promise<void>): void;
}
declare module 'node:assert/strict' {
  const assert: {
    equal(got: unknown, want: unknown, message?: string): void;
    deepEqual(got: unknown, want: unknown, message?: string): void;
    rejects(promise: Promise<unknown>): Promise<void>;
    ok(value: unknown, message?: string): asserts value;
  };
  export default assert;
}
