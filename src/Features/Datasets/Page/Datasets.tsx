import { Link } from "wouter"
import { ListPage } from "../../../Dashboard/Parts/ListPage.tsx"
import { number } from "../../../Dashboard/Parts/Numbers.ts"
import { ProviderTitle } from "../../../Dashboard/Parts/Provider.tsx"
import { StatusOf } from "../../../Dashboard/Parts/Status.tsx"
import type { Column } from "../../../Dashboard/Parts/Table.tsx"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import { resourceWords } from "../../../Dashboard/Rights/ResourceWords.ts"
import type { Dataset } from "../Declared.ts"
import { DatasetForm } from "./DatasetForm.tsx"
import { datasetTitle, providerOf, size, statusWords } from "./DatasetWords.ts"
import { useDatasets } from "./Queries.ts"

const fetched = ({ days: { capped, done } }: Dataset) => done + capped

const all = (dataset: Dataset) => fetched(dataset) + dataset.days.pending + dataset.days.failed

const columns: ReadonlyArray<Column<Dataset>> = [
  {
    title: "Name",
    sortBy: datasetTitle,
    cell: (dataset) => (
      <ProviderTitle provider={providerOf(dataset.report)} about={resourceWords(dataset.resource)}>
        <Link className="name" href={`/datasets/${dataset.id}`} title={dataset.name}>{datasetTitle(dataset)}</Link>
      </ProviderTitle>
    )
  },
  { title: "State", cell: ({ status }) => <StatusOf entry={statusWords[status]} /> },
  {
    title: "Days",
    kind: "number",
    sortBy: fetched,
    cell: (dataset) => `${number.format(fetched(dataset))} of ${number.format(all(dataset))}`
  },
  {
    title: "Capped",
    kind: "number",
    minor: true,
    sortBy: ({ days }) => days.capped,
    cell: ({ days }) => number.format(days.capped)
  },
  { title: "Rows", kind: "number", sortBy: ({ rows }) => rows, cell: ({ rows }) => number.format(rows) },
  { title: "Size", kind: "number", minor: true, sortBy: ({ bytes }) => bytes, cell: ({ bytes }) => size(bytes) },
  { title: "Next run", minor: true, spare: true, cell: ({ next_run_at }) => <Time at={next_run_at} never="none" /> }
]

export const Datasets = () => (
  <ListPage
    title="Datasets"
    about="Reports kept as open files, day by day, longer than their source keeps them."
    make={{ title: "Make a dataset", dialog: (onClose) => <DatasetForm onClose={onClose} /> }}
    what="dataset"
    list={useDatasets()}
    columns={columns}
    nameOf={datasetTitle}
    searchedTexts={({ name, report, resource }) => [name, report, resource]}
    empty="No datasets yet. Search Console forgets after 16 months; a dataset does not."
  />
)
