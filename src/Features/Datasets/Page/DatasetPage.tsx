import { useState } from "react"
import { Link, useLocation } from "wouter"
import { Code } from "../../../Dashboard/Parts/Code.tsx"
import { Empty } from "../../../Dashboard/Parts/Empty.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { Fact } from "../../../Dashboard/Parts/Fact.tsx"
import { Id } from "../../../Dashboard/Parts/Id.tsx"
import { number } from "../../../Dashboard/Parts/Numbers.ts"
import { Page } from "../../../Dashboard/Parts/Page.tsx"
import { Panel } from "../../../Dashboard/Parts/Panel.tsx"
import { Provider } from "../../../Dashboard/Parts/Provider.tsx"
import { StatusOf } from "../../../Dashboard/Parts/Status.tsx"
import { Table } from "../../../Dashboard/Parts/Table.tsx"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import { resourceWords } from "../../../Dashboard/Rights/ResourceWords.ts"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useConnections } from "../../../Dashboard/Service/Lists.ts"
import type { Dataset, DatasetDay } from "../Declared.ts"
import { Calendar } from "./Calendar.tsx"
import { DatasetActions } from "./DatasetActions.tsx"
import { datasetTitle, dayName, daysWords, providerOf, reportWords, size, statusWords } from "./DatasetWords.ts"
import { DayChart } from "./DayChart.tsx"
import { DayRows } from "./DayRows.tsx"
import { useDataset, useDatasetDays, useDatasetFiles } from "./Queries.ts"

export const DatasetPage = ({ id }: { readonly id: string }) => {
  const [, navigate] = useLocation()
  const { data, error } = useDataset(id)
  return (
    <Page
      title={data === undefined ? "Dataset" : datasetTitle(data)}
      about={data === undefined ? "A report kept as open files." : reportWords[data.report]}
      actions={data && <DatasetActions dataset={data} onDeleted={() => navigate("/datasets")} />}
    >
      {data === undefined && error?.code === "dataset_not_found"
        ? <Empty action={<Link href="/datasets">All datasets</Link>}>There is no dataset {id}.</Empty>
        : error && <ErrorNotice error={error} isRead />}
      {data && (
        <div className="stack-wide in-order">
          {data.last_error && (
            <p className="notice error">
              {data.last_error.message} <Time at={data.last_error.at} />
            </p>
          )}
          <Facts dataset={data} />
          <Days dataset={data} />
          <Files dataset={data} />
          <ReadIt dataset={data} />
        </div>
      )}
    </Page>
  )
}

const Facts = ({ dataset }: { readonly dataset: Dataset }) => {
  const { bytes, connection_id, days, dimensions, id, metrics, next_run_at, report, resource, rows, schedule, since } =
    dataset
  const connections = useConnections()
  const connectionOf = useById(connections.data)
  return (
    <dl className="facts wide in-order">
      <Fact name="State">
        <StatusOf entry={statusWords[dataset.status]} />
      </Fact>
      <Fact name="About" title={resource}>
        <bdi>{resourceWords(resource)}</bdi>, from <time dateTime={since}>{dayName(since)}</time>
      </Fact>
      <Fact name="Through" className="row-of">
        <Provider id={providerOf(report)} />
        {connections.isFetched
          ? <Link href={`/connections/${connection_id}`}>{connectionOf(connection_id)?.label ?? connection_id}</Link>
          : <span className="placeholder" />}
      </Fact>
      {dimensions.length > 0 && (
        <Fact name="Dimensions" className="row-of">{dimensions.map((each) => <code key={each}>{each}</code>)}</Fact>
      )}
      {metrics.length > 0 && (
        <Fact name="Metrics" className="row-of">{metrics.map((each) => <code key={each}>{each}</code>)}</Fact>
      )}
      <Fact name="Rows">
        {number.format(rows)}, {size(bytes)}
      </Fact>
      <Fact name="Days">{daysWords(days)}</Fact>
      <Fact name="Next run">
        <Time at={next_run_at} never="none" />
        {schedule === "daily" ? ", every day" : ", until all days are final"}
      </Fact>
      <Fact name="Id">
        <Id id={id} />
      </Fact>
    </dl>
  )
}

const measureOf = ({ metrics, report }: Dataset): string =>
  report === "ga4.report" && metrics[0] !== undefined ? metrics[0] : "clicks"

const Days = ({ dataset }: { readonly dataset: Dataset }) => {
  const { data, error, isLoading } = useDatasetDays(dataset.id)
  const [selected, setSelected] = useState<string>()
  const fetched = data?.filter(({ status }) => status === "done" || status === "capped") ?? []
  const shown = fetched.find(({ day }) => day === selected) ?? fetched.findLast(({ rows }) => rows > 0)
  return (
    <>
      <Panel title="Coverage" busy={isLoading}>
        {error && <ErrorNotice error={error} isRead />}
        {data?.length === 0 && <p className="muted">The days are not listed yet. The first run lists them.</p>}
        {data !== undefined && data.length > 0 && (
          <>
            <DayChart days={data} />
            <Calendar
              days={data}
              measure={measureOf(dataset)}
              selected={selected ?? shown?.day}
              onSelect={setSelected}
            />
            <Named title="Capped" days={data.filter(({ status }) => status === "capped")} />
            <Named title="Failed" days={data.filter(({ status }) => status === "failed")} />
          </>
        )}
      </Panel>
      {shown && <DayRows id={dataset.id} day={shown} />}
    </>
  )
}

const Named = ({ days, title }: { readonly title: string; readonly days: ReadonlyArray<DatasetDay> }) =>
  days.length === 0 ? null : (
    <p>
      {title}: {days.map(({ day }) => dayName(day)).join("; ")}.
    </p>
  )

const ReadIt = ({ dataset: { id } }: { readonly dataset: Dataset }) => {
  const bucket = "gs://your-bucket/prefix"
  return (
    <details className="more">
      <summary>Read the files with DuckDB or BigQuery</summary>
      <div className="stack">
        <h3>DuckDB</h3>
        <Code
          what="the DuckDB command"
          text={`oa dataset download ${id} && duckdb -c "SELECT * FROM read_parquet('${id}/day=*/data.parquet') LIMIT 20"`}
        />
        <h3>BigQuery, from a bucket in Google Cloud Storage</h3>
        <Code
          what="the BigQuery command"
          text={`bq load --replace --source_format=PARQUET --hive_partitioning_mode=CUSTOM ` +
            `--hive_partitioning_source_uri_prefix='${bucket}/${id}/{day:DATE}' ` +
            `your_dataset.${id} '${bucket}/${id}/day=*'`}
        />
      </div>
    </details>
  )
}

const pathOf = (id: string, name: string): string =>
  `/admin/v1/datasets/${id}/files/${name.split("/").map(encodeURIComponent).join("/")}`

const Files = ({ dataset: { id, rows } }: { readonly dataset: Dataset }) => {
  const [shown, setShown] = useState(false)
  return (
    <section className="stack" aria-label="Files">
      <h2>Files</h2>
      {shown
        ? <FileTable key={rows} id={id} />
        : (
          <div className="row-of">
            <a className="button" href={pathOf(id, "manifest.json")} download>Download the manifest</a>
            <button type="button" onClick={() => setShown(true)}>Show the file of each day</button>
          </div>
        )}
    </section>
  )
}

const FileTable = ({ id }: { readonly id: string }) => {
  const files = useDatasetFiles(id)
  return (
    <Table
      label="Files"
      columns={[
        {
          title: "Name",
          sortBy: ({ name }) => name,
          cell: ({ name }) => <a className="name" href={pathOf(id, name)} download>{name}</a>
        },
        { title: "Size", kind: "number", sortBy: ({ bytes }) => bytes, cell: ({ bytes }) => size(bytes) },
        { title: "Written", minor: true, cell: ({ modified_at }) => <Time at={modified_at} /> }
      ]}
      rows={files.data?.toReversed()}
      rowKey={({ name }) => name}
      error={files.error}
      reloading={files.isRefetching}
      empty={<Empty>No files yet. The first day that is fetched makes one.</Empty>}
    />
  )
}
