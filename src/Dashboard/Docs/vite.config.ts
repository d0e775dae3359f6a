import { join } from "node:path"
import { defineConfig } from "vite"
import { tokens } from "../../Api/Pages/Tokens.ts"

export default defineConfig({
  root: import.meta.dirname,
  base: "/docs/",
  plugins: [{
    name: "look",
    enforce: "pre",
    transform: { filter: { id: /Docs\.css$/ }, handler: (code) => code + tokens }
  }],
  build: {
    outDir: join(import.meta.dirname, "../../../dist/docs"),
    emptyOutDir: true,
    target: "es2023",
    // The Content-Security-Policy allows no inline script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800
  }
})
