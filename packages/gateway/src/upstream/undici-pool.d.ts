declare module "undici/lib/dispatcher/pool.js" {
  import type { Pool } from "undici";

  const PoolClass: typeof Pool;
  // biome-ignore lint/style/noDefaultExport: the module is CommonJS
  export default PoolClass;
}
