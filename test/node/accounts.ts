export const chainId = 'chain-inspector-1';
export const bondDenom = 'stake';

// A mnemonic that everyone knows: the accounts, and with them the recorded answers, keep their addresses.
export const mnemonic = `${'abandon '.repeat(11)}about`;

/** Accounts by name, with the addresses that the mnemonic gives them; the place in the list is the account's number. */
export const addresses = {
  val: 'cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4',
  val2: 'cosmos1jrkmdcwgq94uaamx6zax2luewlhf7u4kucx3kz',
  val3: 'cosmos1kng7tv83qesgvv2ze7hxlw4urfrjk8vqqnpqdt',
  val4: 'cosmos1zuvk68xw4y9swp06796rx8zarjvvkrt606nxtl',
  alice: 'cosmos12ecyuddg4wlnhztusgju5zxxjgznkz7fsf57kq',
  bob: 'cosmos1neyy3lf7kjfs8pm5880g6hjgltngu69qlypk32',
  carol: 'cosmos1ztdlmjswzga50r03wv83xsfyaxku3085tvve57',
  dave: 'cosmos1ry8ad7xw5n5y4zhplc6s7xruxmamtsalkmrqk5',
  erin: 'cosmos10z5saqegn3w6jm60x649wy8w5vdzu3uhjnt2nu',
  frank: 'cosmos1kpr42yd4753cymc24ps78cm8dqf203qp7gl0jx',
  grace: 'cosmos12jmpqzz6qw4mkpgjj5zqrnm0fmtvkdagqrsfqp',
  heidi: 'cosmos1f87lm8n0qy0t684qfnl34jmlsfukj5tphtmnj2',
  holder: 'cosmos1zewfm2c4s6uv5s4rywksqden8dvya4wmqyyvek',
} as const;
export type AccountName = keyof typeof addresses;

/** Accounts of modules; the same on every chain with the prefix `cosmos`. */
export const moduleAddresses = {
  gov: 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn',
  notBonded: 'cosmos1tygms3xhhs3yv487phx3dw4a95jn7t7lpm470r',
  distribution: 'cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl',
} as const;
