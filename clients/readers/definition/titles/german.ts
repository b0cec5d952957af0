/** Column titles in German. */
import type { TitleList } from './title-list.ts';

export const german: TitleList = {
  decimal: ',',
  totals: 'summe, gesamt, gesamtsumme, zwischensumme, gesamtmenge, gesamtpreis',
  number:
    'artikelnummer, artikelnr, artikel nr, sachnummer, sachnr, sach nr, teilenummer, teilenr, teile nr, materialnummer, materialnr, zeichnungsnummer, zeichnungsnr, zeichnungs nr, objektnummer, identnummer, ident nr, komponentennummer, bauteilnummer, bestellnummer, best nr, bestell nr',
  mpn: 'herstellernummer, hersteller nr, herstellerteilenummer, hersteller teilenummer, hersteller artikelnummer',
  weakNumber: 'komponente, artikel, teil, bauteil',
  parent:
    'baugruppe, ubergeordnet, übergeordnete baugruppe, oberbaugruppe, elternteil, gehört zu, verwendet in, übergeordnete nr, übergeordnete nummer, übergeordnete position, vaterteil, oberstufe, parent nr',
  parentLocation:
    'übergeordneter lagerort, übergeordneter lagerplatz, übergeordneter ort, liegt in, lagerort oben, übergeordnetes lager',
  parentName: 'baugruppenbezeichnung, bezeichnung der baugruppe',
  level: 'stufe, ebene, strukturstufe, auflösungsstufe, hierarchie',
  item: 'pos nr, positionsnummer, positionsnr, strukturnummer, lfd nr, laufende nummer, zeile',
  quantity: 'menge, anzahl, stück, stueck, stk, stückzahl, einbaumenge, komponentenmenge, anz',
  references: 'bezeichner, referenz, referenzen, referenzbezeichner, bauteilbezeichner, einbauort, bmk',
  name: 'benennung, bezeichnung, objektkurztext, kurztext, materialkurztext, artikelbezeichnung, beschreibung, titel, teilebezeichnung, name',
  category: 'teileart, kategorie, warengruppe',
  unit: 'einheit, me, mengeneinheit, mass einheit, masseinheit, eh',
  note: 'bemerkung, bemerkungen, anmerkung, anmerkungen, hinweis, notiz, kommentar',
  notFitted: 'nicht bestückt, nicht bestücken, unbestückt, nicht in stückliste',
  fitted: 'bestückt, bestücken, bestückung, eingebaut',
  value: 'wert, bauteilwert',
  footprint: 'gehäuse, bauform',
  standard: 'norm, normbezeichnung, norm kurzbezeichnung, normkurzbezeichnung, din norm',
  size: 'abmessung, abmessungen, masse, maße, größe, länge, dicke, durchmesser, rohmass, rohmaß, zuschnitt',
  material: 'werkstoff, material, oberfläche, farbe',
  manufacturer: 'hersteller, herstellername, fabrikat, marke',
  revision: 'revision, rev, version, ausführung, variante, konfiguration, änderungsstand, revisionsstand',
  lineKind: 'stücklistenstruktur, positionstyp',
};
