// What the bundler makes of pictures and of data (JSON that is fetched when it is wanted): an address.
declare module '*.svg' {
  const address: string;
  export default address;
}

declare module '*.data' {
  const address: string;
  export default address;
}
