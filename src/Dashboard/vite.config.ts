import { readdirSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vite"
import { markFresh } from "../SourceDigest.ts"

const root = join(import.meta.dirname, "../..")

const sources = ["Dashboard", "Api", "Domain"].flatMap((room) =>
  readdirSync(join(root, "src", room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
)

export default defineConfig({
  root: import.meta.dirname,
  base: "/dashboard/",
  build: {
    outDir: join(root, "dist/dashboard"),
    emptyOutDir: true,
    target: "es2023",
    // The Content-Security-Policy allows no inline script and no data URL.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    // React Query marks its modules for server rendering, and the bundler warns about each mark.
    rolldownOptions: { checks: { moduleLevelDirective: false } }
  },
  plugins: [{
    name: "source-digest",
    closeBundle: () => markFresh(root, "dist/dashboard", sources)
  }]
})
