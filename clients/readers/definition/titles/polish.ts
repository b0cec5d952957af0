/** Column titles in Polish. */
import type { TitleList } from './title-list.ts';

export const polish: TitleList = {
  decimal: ',',
  totals: 'razem, suma, łącznie, ogółem',
  number:
    'numer części, nr części, numer artykułu, nr artykułu, numer katalogowy, nr katalogowy, indeks, numer rysunku, nr rysunku, kod, kod części, symbol',
  mpn: 'numer producenta, nr producenta, numer części producenta, kod producenta',
  weakNumber: 'część, komponent, element, artykuł',
  parent: 'zespół, złożenie, nadrzędny, element nadrzędny, podzespół, rodzic',
  parentName: 'nazwa zespołu, nazwa złożenia, opis zespołu',
  level: 'poziom',
  item: 'pozycja, poz, lp, l p, nr poz, numer pozycji',
  quantity: 'ilość, liczba, szt, liczba sztuk, sztuk',
  references: 'oznaczenie, oznaczenia, desygnator, desygnatory, referencje',
  name: 'nazwa, opis, nazwa części, tytuł',
  category: 'kategoria, grupa',
  unit: 'jednostka, jm, j m, jedn, jednostka miary',
  note: 'uwaga, uwagi, komentarz, notatka',
  notFitted: 'nie montować, niemontowane, nie montowany, nie obsadzać',
  fitted: 'montować, montowane, montaż, obsadzony',
  value: 'wartość',
  footprint: 'obudowa',
  standard: 'norma',
  size: 'wymiar, wymiary, rozmiar, długość, średnica, grubość',
  material: 'materiał, wykończenie, kolor',
  manufacturer: 'producent, marka',
  revision: 'rewizja, wersja, wariant, konfiguracja',
};
