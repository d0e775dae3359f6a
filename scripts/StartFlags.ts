import packageJson from "../package.json" with { type: "json" }

/** What `npm start` tells Node. */
export const startFlags: ReadonlyArray<string> = packageJson.scripts.start.split(" ")
  .filter((word) => word.startsWith("--"))
