import { type ReactNode, useState } from "react"
import { Link } from "wouter"
import type { ServiceError } from "../Service/Service.ts"
import { actionsColumn } from "./Actions.tsx"
import { Empty } from "./Empty.tsx"
import { Filters, SearchField, SelectFilter } from "./Filters.tsx"
import { matches } from "./Matches.ts"
import type { Action } from "./Menu.tsx"
import { Page } from "./Page.tsx"
import type { Option } from "./Select.tsx"
import { type Column, Table } from "./Table.tsx"
import { useUrlParameters } from "./UrlState.ts"

type OpenDialog = (onClose: () => void) => ReactNode

interface Filter<Row> {
  /** The parameter in the URL. */
  readonly name: string
  readonly label: string
  /** What is shown without a choice, whose value is "". */
  readonly all: string
  readonly options: ReadonlyArray<Option>
  readonly keep: (row: Row, value: string) => boolean
}

/** An action of a row opens a page or a dialog. By default its label is its title before the name of the row. */
interface RowAction extends Omit<Action, "onSelect"> {
  readonly dialog?: OpenDialog
}

interface Props<Row> {
  readonly title: string
  readonly about: string
  /** Shown beside the button that makes a row. */
  readonly actions?: ReactNode
  /** How a row is made. Its dialog is also open while the URL has `make`. */
  readonly make?: { readonly title: string; readonly href: string } | {
    readonly title: string
    readonly dialog: OpenDialog
    /** A parameter of the URL that presets the dialog. It is removed when the dialog closes. */
    readonly preset?: string
  } | false
  /** A noun for a row, such as `key`. Its plural ends in `s`. */
  readonly what: string
  readonly list: {
    readonly data: ReadonlyArray<Row> | undefined
    readonly error: ServiceError | null
    readonly isFetching: boolean
  }
  readonly columns: ReadonlyArray<Column<Row>>
  /** The name of a row for its actions. */
  readonly nameOf: (row: Row) => string
  /** Without it, rows have no actions, and no id to copy. */
  readonly rowActions?: (row: Row) => ReadonlyArray<RowAction>
  /** The texts that the search finds, besides name and id. */
  readonly searchedTexts?: (row: Row) => ReadonlyArray<string | null | undefined>
  readonly filters?: ReadonlyArray<Filter<Row>>
  /** Shown while the list has no rows at all. */
  readonly empty?: ReactNode
}

export const ListPage = <Row extends { readonly id: string }>(props: Props<Row>) => {
  const { about, actions, empty, filters = [], list, make, nameOf, rowActions, title, what } = props
  const { get, set } = useUrlParameters<string>()
  const [open, setOpen] = useState<OpenDialog>()
  const texts = (row: Row) => [nameOf(row), row.id, ...props.searchedTexts?.(row) ?? []]
  const shown = list.data?.filter((row) =>
    filters.every(({ keep, name }) => keep(row, get(name))) && matches(get("search"), texts(row))
  )
  const columns = rowActions === undefined ? props.columns : [
    ...props.columns,
    actionsColumn<Row>((row) => ({
      id: row.id,
      name: nameOf(row),
      actions: rowActions(row).map(({ dialog, ...action }) => ({
        label: `${action.title} ${nameOf(row)}`,
        ...action,
        onSelect: () => setOpen(() => dialog)
      }))
    }))
  ]
  const makeButton = make && ("href" in make
    ? <Link className="button primary" href={make.href}>{make.title}</Link>
    : <button type="button" className="primary" onClick={() => set({ make: what })}>{make.title}</button>)
  return (
    <Page title={title} about={about} actions={<>{actions}{makeButton}</>}>
      <Filters of={list.data} shown={shown}>
        <SearchField label={`Search ${what}s`} value={get("search")} onChange={(search) => set({ search })} />
        {filters.map(({ all, label, name, options }) => (
          <SelectFilter
            key={name}
            label={label}
            all={all}
            options={options}
            value={get(name)}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
      </Filters>
      <Table
        label={title}
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        error={list.error}
        reloading={list.isFetching}
        empty={empty !== undefined && list.data?.length === 0
          ? <Empty action={makeButton}>{empty}</Empty>
          : <Empty>No {what} matches {filters.length === 0 ? "this search" : "these filters"}.</Empty>}
      />
      {make && "dialog" in make && get("make") !== "" &&
        make.dialog(() => set({ make: "", ...make.preset !== undefined && { [make.preset]: "" } }))}
      {open?.(() => setOpen(undefined))}
    </Page>
  )
}
