import type { ReactNode } from "react"
import type { ServiceError } from "../Service/Service.ts"
import { Empty } from "./Empty.tsx"
import { Filters, SearchField } from "./Filters.tsx"
import { matches } from "./Matches.ts"
import { Page } from "./Page.tsx"
import { type Column, Table } from "./Table.tsx"
import { useUrlState } from "./UrlState.ts"

interface Props<Row> {
  readonly title: string
  readonly about: string
  readonly actions?: ReactNode
  /** A noun for a row, such as `key`. Its plural ends in `s`. */
  readonly what: string
  readonly list: {
    readonly data: ReadonlyArray<Row> | undefined
    readonly error: ServiceError | null
    readonly isFetching: boolean
  }
  readonly columns: ReadonlyArray<Column<Row>>
  readonly searchedTexts: (row: Row) => ReadonlyArray<string | null | undefined>
  readonly filters?: ReactNode
  /** False for a row that the filters hide. */
  readonly keep?: (row: Row) => boolean
  /** Shown while the list has no rows at all. */
  readonly none?: ReactNode
  readonly children?: ReactNode
}

export const ListPage = <Row extends { readonly id: string }>(
  { about, actions, children, columns, filters, keep = () => true, list, none, searchedTexts, title, what }: Props<Row>
) => {
  const [search, setSearch] = useUrlState("search")
  const shown = list.data?.filter((row) => keep(row) && matches(search, searchedTexts(row)))
  return (
    <Page title={title} about={about} actions={actions}>
      <Filters of={list.data} shown={shown}>
        <SearchField label={`Search ${what}s`} value={search} onChange={setSearch} />
        {filters}
      </Filters>
      <Table
        label={title}
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        error={list.error}
        reloading={list.isFetching}
        empty={none !== undefined && list.data?.length === 0
          ? none
          : <Empty>No {what} matches {filters === undefined ? "this search" : "these filters"}.</Empty>}
      />
      {children}
    </Page>
  )
}
