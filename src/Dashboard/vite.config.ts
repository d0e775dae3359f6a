import { readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig, type Plugin } from "vite"
import { fontFace, tokens } from "../Api/Pages/Tokens.ts"

const base = "/dashboard/"

const fonts = ([
  { family: "Geist", name: "geist", display: "swap" },
  // Loads only when a page has code, whose text would move with `swap`.
  { family: "Geist Mono", name: "geist-mono", display: "optional" }
] as const).map(({ display, family, name }) => ({
  display,
  family,
  folder: `@fontsource-variable/${name}`,
  file: `${name}-latin-wght-normal.woff2`
}))

/** Adds the tokens to the style sheet. The page asks for its first font before the script runs. */
const look: Plugin = {
  name: "look",
  enforce: "pre",
  transform: {
    filter: { id: /Styles\.css$/ },
    handler: (code) =>
      code + fonts.map(({ display, family, file, folder }) =>
        fontFace(family, `${folder}/files/${file}`, display)
      ).join("") +
      tokens
  },
  transformIndexHtml: () =>
    fonts.slice(0, 1).map(({ file }) => ({
      tag: "link",
      attrs: { rel: "preload", href: `${base}assets/${file}`, as: "font", type: "font/woff2", crossorigin: "" },
      injectTo: "head" as const
    })),
  generateBundle() {
    // The licence of the fonts asks to be beside them.
    const licence = join(import.meta.dirname, "../../node_modules/@fontsource-variable/geist/LICENSE")
    this.emitFile({ type: "asset", fileName: "assets/geist-licence.txt", source: readFileSync(licence) })
  }
}

/** The OpenAPI document is the service's. What makes its schemas would take 5 kB of the first page. */
const withoutDocument: Plugin = {
  name: "without-document",
  load: { filter: { id: /src\/Api\/JsonSchema\.ts$/ }, handler: () => "export const jsonSchema = () => ({})" }
}

export default defineConfig({
  root: import.meta.dirname,
  base,
  plugins: [look, withoutDocument],
  build: {
    outDir: join(import.meta.dirname, "../../dist/dashboard"),
    emptyOutDir: true,
    target: "es2023",
    // The Content-Security-Policy allows no inline script and no data URL.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // React Query marks its modules for server rendering, and the bundler warns about each mark.
      checks: { moduleLevelDirective: false },
      output: {
        // One file for all that the first page needs: each file of its own costs more in headers than most have, and is
        // compressed apart.
        codeSplitting: {
          groups: [
            { name: "first", test: /rolldown\/runtime|src\/Dashboard\/(Dashboard\.tsx|Parts\/Axis\.ts)$/ },
            { name: "overview", test: /\/(CallChart|UsageBy|DatasetGrowth)\.tsx$/ }
          ]
        },
        // The page and the pages for customers name the fonts.
        assetFileNames: ({ names: [name = ""] }) =>
          name.endsWith(".woff2") ? "assets/[name][extname]" : "assets/[name]-[hash][extname]"
      }
    }
  }
})
