import { join } from "node:path"
import { defineConfig } from "vite"

export default defineConfig({
  root: import.meta.dirname,
  base: "/dashboard/",
  build: {
    outDir: join(import.meta.dirname, "../../dist/dashboard"),
    emptyOutDir: true,
    target: "es2023",
    // The Content-Security-Policy allows no inline script and no data URL.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    // React Query marks its modules for server rendering, and the bundler warns about each mark.
    rolldownOptions: { checks: { moduleLevelDirective: false } }
  }
})
