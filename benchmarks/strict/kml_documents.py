"""Maps in a language like KML, which lxml has to validate against an XML schema."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from typing import Any

from benchmarks.campaigns import Subject
from rlcheck.generators import Choose

SCHEMA = """
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:simpleType name="position">
    <xs:restriction base="xs:string"><xs:pattern value="-?\\d+,-?\\d+"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="path"><xs:list itemType="position"/></xs:simpleType>
  <xs:simpleType name="colour">
    <xs:restriction base="xs:string"><xs:pattern value="[0-9a-f]{8}"/></xs:restriction>
  </xs:simpleType>
  <xs:element name="kml"><xs:complexType><xs:sequence>
    <xs:group ref="feature" minOccurs="0"/>
  </xs:sequence></xs:complexType></xs:element>
  <xs:group name="feature"><xs:choice>
    <xs:element name="Folder" type="folder"/>
    <xs:element name="Placemark" type="placemark"/>
  </xs:choice></xs:group>
  <xs:complexType name="folder"><xs:sequence>
    <xs:group ref="about"/>
    <xs:group ref="feature" minOccurs="0" maxOccurs="unbounded"/>
  </xs:sequence></xs:complexType>
  <xs:complexType name="placemark"><xs:sequence>
    <xs:group ref="about"/>
    <xs:choice minOccurs="0">
      <xs:element name="Point"><xs:complexType><xs:sequence>
        <xs:element name="extrude" type="xs:boolean" minOccurs="0"/>
        <xs:element name="coordinates" type="position"/>
      </xs:sequence></xs:complexType></xs:element>
      <xs:element name="LineString"><xs:complexType><xs:sequence>
        <xs:element name="tessellate" type="xs:boolean" minOccurs="0"/>
        <xs:element name="coordinates" type="path"/>
      </xs:sequence></xs:complexType></xs:element>
    </xs:choice>
  </xs:sequence></xs:complexType>
  <xs:group name="about"><xs:sequence>
    <xs:element name="name" type="xs:string" minOccurs="0"/>
    <xs:element name="visibility" type="xs:boolean" minOccurs="0"/>
    <xs:element name="Style" minOccurs="0"><xs:complexType><xs:sequence>
      <xs:element name="LineStyle" type="line" minOccurs="0"/>
      <xs:element name="PolyStyle" type="fill" minOccurs="0"/>
    </xs:sequence></xs:complexType></xs:element>
  </xs:sequence></xs:group>
  <xs:complexType name="line"><xs:sequence>
    <xs:element name="color" type="colour" minOccurs="0"/>
    <xs:element name="width" type="xs:decimal" minOccurs="0"/>
  </xs:sequence></xs:complexType>
  <xs:complexType name="fill"><xs:sequence>
    <xs:element name="color" type="colour" minOccurs="0"/>
    <xs:element name="fill" type="xs:boolean" minOccurs="0"/>
  </xs:sequence></xs:complexType>
</xs:schema>
"""
_TAGS = [
    "kml",
    "Folder",
    "Placemark",
    "Point",
    "LineString",
    "Style",
    "LineStyle",
    "PolyStyle",
    "name",
    "visibility",
    "extrude",
    "tessellate",
    "coordinates",
    "color",
    "width",
    "fill",
]
_WORDS = ["0", "1", "true", "2.5", "7f00ff00", "1,2", "3,-4", "1,2 3,4", "home"]
_TEXT = re.compile(r">[^<]+<")


def element(choose: Choose, depth: int = 0) -> str:
    """Any element with text or up to three children, of up to six levels."""
    tag = choose(_TAGS)
    content = ""
    if choose([True, False]):
        content = choose(_WORDS)
    else:
        children = 0
        while depth < 5 and children < 3 and choose([True, False]):
            content += element(choose, depth + 1)
            children += 1
    return f"<{tag}>{content}</{tag}>"


@cache
def _lxml() -> tuple[Any, Any]:
    from lxml import etree

    return etree, etree.XMLSchema(etree.fromstring(SCHEMA))


def is_kml(text: str) -> bool:
    """Whether the schema accepts the document."""
    etree, schema = _lxml()
    return bool(schema.validate(etree.fromstring(text)))


def shape(text: str) -> Hashable:
    """Tags, without text."""
    return _TEXT.sub("><", text)


def size(text: str) -> int:
    """The number of elements."""
    return text.count("</")


SUBJECTS = (Subject("kml", element, is_kml, shape, size, needs=("lxml",)),)
