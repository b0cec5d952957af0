/** Column titles in French. */
import type { TitleList } from './title-list.ts';

export const french: TitleList = {
  decimal: ',',
  totals: 'total, totaux, somme, sous total, total général',
  number:
    'numéro de pièce, numéro pièce, n° de pièce, n° pièce, référence pièce, référence article, référence interne, réf interne, réf article, code article, code pièce, numéro article, numéro de plan, n° plan, n° article',
  mpn: 'référence fabricant, réf fabricant, référence constructeur, code fabricant',
  weakNumber: 'référence, réf, article, pièce, composant',
  parent: 'ensemble, sous ensemble, parent, assemblage, composé, utilisé dans',
  parentLocation: 'emplacement parent, emplacement supérieur, situé dans',
  parentName: 'désignation ensemble, désignation assemblage',
  level: 'niveau, niv',
  item: 'repère, rep, poste, n°, ligne, rang, indice',
  quantity: 'quantité, qté, nb, nbre, nombre, qt, quantité unitaire',
  references:
    'repères topologiques, repère topologique, référence topologique, références, désignateur, désignateurs',
  name: 'désignation, libellé, description, nom, intitulé',
  category: 'catégorie, famille',
  unit: 'unité, unités, ut',
  note: 'remarque, remarques, observation, observations, commentaire, commentaires',
  notFitted: 'non monté, non implanté, non câblé, ne pas monter, ne pas implanter',
  fitted: 'monté, implanté, câblé, à monter',
  value: 'valeur',
  footprint: 'empreinte, boîtier',
  standard: 'norme',
  size: 'dimension, dimensions, taille, longueur, diamètre, épaisseur',
  material: 'matière, matériau, traitement, couleur',
  manufacturer: 'fabricant, nom du fabricant, constructeur, marque',
  revision: 'révision, indice, indice de révision, version, variante, configuration',
};
