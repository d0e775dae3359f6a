import { type KeyboardEvent, useId, useState } from "react"
import { useLocation } from "wouter"
import { Dialog } from "../Parts/Dialog.tsx"
import { useClients, useConnections } from "../Service/Lists.ts"
import { useSession } from "../Session/Session.tsx"
import type { Action } from "./FeaturePages.ts"
import { featureActions, servedAreas } from "./ServedPages.ts"

interface Command {
  readonly title: string
  readonly kind: string
  readonly path: string
}

const maxShown = 12

export const CommandPalette = ({ onClose }: { readonly onClose: () => void }) => {
  const [, navigate] = useLocation()
  const [text, setText] = useState("")
  const [selected, setSelected] = useState(0)
  const { isAdmin } = useSession()
  const connections = useConnections()
  const clients = useClients()
  const listId = useId()
  const isShown = ({ admin }: Action) => isAdmin || !admin
  const commands: ReadonlyArray<Command> = [
    ...servedAreas.filter(isShown).map(({ path, title }) => ({ title, kind: "Area", path })),
    { title: "Make a key", kind: "Action", path: "/keys?make=key" },
    { title: "Connect an account", kind: "Action", path: "/connections/connect" },
    ...featureActions.filter(isShown).map(({ kind = "Action", path, title }) => ({ title, kind, path })),
    ...(connections.data ?? []).map(({ id, label }) => ({
      title: label,
      kind: "Connection",
      path: `/connections/${id}`
    })),
    ...(clients.data ?? []).map(({ id, name }) => ({ title: name, kind: "Client", path: `/clients/${id}` }))
  ]
  const wanted = text.trim().toLocaleLowerCase()
  const found = commands.filter(({ title }) => title.toLocaleLowerCase().includes(wanted)).slice(0, maxShown)
  const open = (command: Command | undefined) => {
    if (!command) return
    onClose()
    navigate(command.path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setSelected((selected + step + found.length) % Math.max(1, found.length))
    } else if (event.key === "Enter") {
      event.preventDefault()
      open(found[selected])
    }
  }
  return (
    <Dialog title="Go to" className="palette" onClose={onClose}>
      <input
        autoFocus
        type="search"
        role="combobox"
        aria-label="Area, connection or client"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found.length === 0 ? undefined : `${listId}-${selected}`}
        placeholder="Area, connection or client"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setSelected(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} role="listbox" aria-label="Places">
        {found.map((command, index) => (
          <li
            key={command.path + command.title}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === selected}
            onClick={() => open(command)}
          >
            <span className="name">{command.title}</span>
            <span className="meta">{command.kind}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="muted">Nothing has this name.</p>}
    </Dialog>
  )
}
