import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { type Cell, type Column, transposed } from "../../../../src/Domain/Table/Table.ts"
import { DatasetFiles } from "../../../../src/Features/Datasets/Files/DatasetFiles.ts"
import { makeParquet } from "../../../../src/Features/Datasets/Rows/Parquet.ts"
import { DataDir } from "../../../../src/Sql/DataDir.ts"

export const dataset = "dst_01k6a1b2c3d4e5f6g7h8j9k0mn"

export const columns: ReadonlyArray<Column> = [
  { name: "date", type: "date" },
  { name: "query", type: "text" },
  { name: "clicks", type: "number" },
  { name: "position", type: "number" },
  { name: "is_brand", type: "boolean" }
]

export const rows = [
  ["2026-11-22", "12\" leaf rake 剪定ばさみ", 3, 1, true],
  ["20261122", "", 9_007_199_254_740_991, 0.1 + 0.2, false],
  [null, null, null, null, null]
]

export const filesWith = (settings: Readonly<Record<string, string>>) =>
  Effect.map(
    Layer.build(DatasetFiles.layer.pipe(
      Layer.provide(DataDir.layer),
      Layer.provide(NodeServices.layer),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
    )),
    (context) => Context.get(context, DatasetFiles)
  )

export const writeDay = Effect.fnUntraced(function*(
  files: DatasetFiles["Service"],
  day: string,
  given: ReadonlyArray<ReadonlyArray<Cell>> = rows,
  id = dataset
) {
  const file = makeParquet(columns)
  file.add(transposed(given))
  const content = file.end()
  yield* files.writeDay({ dataset: id, day, content })
  return content.length
})
