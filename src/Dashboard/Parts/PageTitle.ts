import { useEffect } from "react"
import { applicationName } from "../Service/ServedPage.ts"

export const usePageTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} · ${applicationName}`
  }, [title])
